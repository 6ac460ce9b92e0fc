/** Texts that people read, and no run: a tenth of what a web page would load. */
export const PROSE =
  /^( +(?:authors|idea|because|breaks|example|cost|says|usual):)\s+((?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*")(?:\s*\+\s*(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*"))*)/gm

/** Whether a module has such texts: on the catalogue, or on options. */
export function hasProse(id) {
  return /\/src\/(algorithms|options)\//.test(id)
}
