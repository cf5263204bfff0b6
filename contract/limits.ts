/** Every maximum that crosses a boundary or is stored. A loop, queue or text without one of these is a bug (L11). */
export const LIMITS = {
  pathBytesMax: 1024,
  linkBytesMax: 1024,
  eventBytesMax: 512 * 1024,
  jsonLevelsMax: 100,
  inlineChangesMax: 500,
  changesMax: 100_000,
  operationsMax: 20_000,
  smallObjectBytesMax: 64 * 1024,
  objectBytesMax: 512 * 1024 * 1024,
  treeBytesMax: 2048 * 1024 * 1024,
  treeFilesMax: 200_000,
  /** Bytes that only the history names: what undo brings back. Thinned by the person alone. */
  versionsBytesMax: 4096 * 1024 * 1024,
  /** Bytes of the log itself. It cannot be thinned: its hashes chain. */
  historyBytesMax: 2048 * 1024 * 1024,
  /** On top of it, for commands that put the person back in charge. */
  historyReserveBytes: 64 * 1024 * 1024,
  erasedInlineMax: 4000,
  erasedAtOnceMax: 200_000,
  messageBytesMax: 16 * 1024,
  nameCharsMax: 200,
  windowsMax: 200,
  commandBytesMax: 64 * 1024 * 1024,
  eventsPageMax: 1000,
  importBytesMax: 16 * 1024 * 1024 * 1024,
  mergeBytesMax: 4 * 1024 * 1024,
  wishesMax: 10,
  promptCharsMax: 4000,
  runsQueuedMax: 50,
  questionsMax: 3,
  /** Times that a run may ask its person. */
  asksPerRunMax: 10,
  choicesMax: 12,
  offersMax: 3,
  steersPerRunMax: 50,
  tasksPerRunMax: 30,
  /** Tasks that are worked on at once. */
  handsMax: 3,
  readAtOnceMax: 100,
  readBytesMax: 2 * 1024 * 1024,
  readFileBytesMax: 256 * 1024,
  readsPerRunMax: 200,
  looksPerRunMax: 60,
  windowsAtOnceMax: 3,
  /** Folders and files that a task may name. */
  scopePartsMax: 50,
  /** Events that tell of refusals in one run: whoever asks on is refused without one. */
  policyReceiptsMax: 50,
  approvalsPerRunMax: 10,
  approvalsListedMax: 200,
  callsPerTaskMax: 1000,
  planItemsMax: 20,
  plansPerTaskMax: 100,
  /** Times that verifiers send work back to the same Associate. */
  refusalsPerTaskMax: 3,
  /** Of a note that is to last, and of what it is about. */
  noteCharsMax: 500,
  topicCharsMax: 60,
  noteFilesMax: 8,
  notesPerRunMax: 20,
  /** What is remembered: so much from agents, and as much again from the person. */
  memoryEntriesMax: 200,
  memoryBytesMax: 48 * 1024,
  memoryEditsMax: 20,
  /** What agents are told of it. */
  rememberedMax: 60,
  rememberedBytesMax: 8 * 1024,
  syscallBytesMax: 4 * 1024 * 1024,
  runsListedMax: 200,
  modelTextCharsMax: 512 * 1024,
  modelMessagesMax: 4000,
  /** How much an agent has its model read at once; longer talks are shortened. */
  contextTokensMax: 150_000,
  /** Tools that a model may ask for in one answer, and how many of them are used. */
  modelUsesMax: 256,
  usesAtOnceMax: 32,
  modelToolsMax: 40,
  picturesPerMessageMax: 4,
  pictureBase64Max: 1024 * 1024,
  /** What is done in a page that is looked at, and what is told about it. */
  appNameCharsMax: 100,
  lookStepsMax: 20,
  /** How long all steps of one look may wait together. */
  lookWaitMsMax: 10_000,
  /** How long it is waited in one look, after all of its steps together, until the page is still. */
  lookStillMsMax: 8000,
  lookFindingsMax: 60,
  lookPlacesMax: 20,
  lookConsoleMax: 50,
  lookOutlineCharsMax: 64 * 1024,
  /** Pictures that one look of a verifier gives, and that one run keeps. */
  picturesPerVerdictMax: 6,
  picturesPerRunMax: 24,
  pictureBytesMax: 512 * 1024,
  capMax: 1_000_000_000_000,
  diffFilesMax: 500,
  diffBytesMax: 1024 * 1024,
  diffBytesInAllMax: 8 * 1024 * 1024,
  diffLinesMax: 3000,
  diffLineCharsMax: 2000,
} as const
