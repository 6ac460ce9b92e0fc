import { isDocument, type LabDocument } from '../model/lab-document.ts'

/** A document as a fragment of an address, which is not sent to the server. */
export async function fragmentOf(document: LabDocument): Promise<string> {
  return fragmentFor({ name: 'document', letters: await lettersOf(document), moment: null })
}

/** A document as letters of an address: JSON, deflated, in base64url. */
export async function lettersOf(document: LabDocument): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify(document)),
    new CompressionStream('deflate-raw'),
  )
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The document in letters of an address; null where it cannot be read. */
export async function linkedDocument(letters: string): Promise<LabDocument | null> {
  try {
    const base64 = letters.replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const text = new TextDecoder().decode(
      await through(bytes, new DecompressionStream('deflate-raw')),
    )
    const document: unknown = JSON.parse(text)
    return isDocument(document) ? document : null
  } catch {
    return null
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const flow = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(flow).arrayBuffer())
}

/** The moment of a run in an address: the steps so far, and the clock, null for the step's own. */
export interface LinkedMoment {
  readonly step: number
  readonly time: number | null
}

/** What the part of an address after the # asks for. */
export type PageAddress =
  | { readonly name: 'home' }
  | { readonly name: 'lesson'; readonly lesson: string }
  | { readonly name: 'lab' }
  | {
      readonly name: 'exhibit'
      readonly exhibit: string
      readonly moment: LinkedMoment | null
    }
  /** `letters` is a document, deflated and in base64url. */
  | {
      readonly name: 'document'
      readonly letters: string
      readonly moment: LinkedMoment | null
    }
  | { readonly name: 'unknown' }

export function addressIn(fragment: string): PageAddress {
  const [head, ...rest] = fragment.replace(/^#/, '').split('&')
  const [name, value] = parted(head)
  const moment = momentIn(rest)
  if (name === '' || name === 'lessons') return { name: 'home' }
  if (name === 'lab' && value === null) return { name: 'lab' }
  if (name === 'lab' && value !== null) return { name: 'document', letters: value, moment }
  if (name === 'exhibit' && value) return { name: 'exhibit', exhibit: value, moment }
  if (name === 'lesson' && value) return { name: 'lesson', lesson: value }
  return { name: 'unknown' }
}

export function fragmentFor(address: PageAddress): string {
  switch (address.name) {
    case 'lesson':
      return `#lesson=${address.lesson}`
    case 'lab':
      return '#lab'
    case 'exhibit':
      return `#exhibit=${address.exhibit}${momentText(address.moment)}`
    case 'document':
      return `#lab=${address.letters}${momentText(address.moment)}`
    default:
      return ''
  }
}

function momentText(moment: LinkedMoment | null): string {
  if (moment === null) return ''
  return `&step=${moment.step}${moment.time === null ? '' : `&time=${moment.time}`}`
}

function momentIn(parts: readonly string[]): LinkedMoment | null {
  const given = new Map(parts.map((part) => parted(part)))
  const step = numberIn(given.get('step'))
  if (step === null || !Number.isSafeInteger(step) || step < 0) return null
  return { step, time: numberIn(given.get('time')) }
}

function numberIn(text: string | null | undefined): number | null {
  return text && Number.isFinite(Number(text)) ? Number(text) : null
}

function parted(text: string): [string, string | null] {
  const at = text.indexOf('=')
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)]
}
