/**
 * As in `sentences.suite.ts`; `→words` if the sentence only asks about something, and these words would ask for it.
 * Used by tests.
 */
export const QUESTION_SENTENCES: readonly (readonly [string, ...string[]])[] = [
  ['how do I undo?', '→undo that'],
  ['How do I undo that', '→undo that'],
  ['ok, how can I undo this?', '→undo that'],
  ['should I make it light?', '→make it light'],
  ['how do I make it dark?', '→make it dark'],
  ['how do I change the theme?', '→make it light'],
  ['how to make the accent gold', '→make the accent gold'],
  ['how would I move the taskbar to the top?', '→move the taskbar to the top'],
  ['do I need to save?', '→save'],
  ['is it possible to have a bigger text?', '→make the text bigger'],
  ['what happens if I undo that?', '→undo that'],
  ['can you show me how to undo', '→undo that'],
  ['should I make it dark and add a clock?', '→make it dark', '→add a clock'],
  ['make it dark. should I make it light?', 'theme:dark', '→make it light'],
  ['how do I undo? add a clock', 'clock:', '→undo that'],
  ['how do I remove the clock', '→remove the clock'],
  ['how do I make a shopping list', '→give me somewhere to keep a shopping list'],
  ['how do I use this?', 'help:'],
  ['how can I see what changed lately', 'log:'],
  ['how do I cook rice', '…how do I cook rice'],
  ['how do I cook rice and add a clock', '→add a clock', '…how do I cook rice'],
  ['should I stay or should I go', '…should I stay or should I go'],
  ['write a document called How to bake bread', 'document:How to bake bread'],
  ['a list called what if I win', 'todo:what if I win'],
  ['can you undo that?', 'undo:'],
  ['could you make it light?', 'theme:light'],
  ['can I have it dark?', 'theme:dark'],
  ['would you add a clock', 'clock:'],
]
