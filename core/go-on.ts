const GO_ON =
  /^(?:please |bitte )?(?:go on|carry on|keep going|continue|resume|(?:mach )?weiter(?:machen)?|fahr fort|continue[rz]?|contin[uú]a|sigue|adelante)(?: (?:please|with (?:it|that)|bitte|damit|s'il (?:te|vous) pla[iî]t|por favor))?$/i

/** Whether somebody asks for nothing but to go on with what was left. */
export function asksToGoOn(text: string): boolean {
  return GO_ON.test(text.trim().replace(/[\s.!…]+$/, ''))
}
