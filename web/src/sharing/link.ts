import { isDocument, type LabDocument } from '../model/lab-document.ts'

/** The fragment of the address that has a document: it is not sent to the server. */
const PREFIX = '#lab='

/** A document as a fragment of an address: JSON, deflated, in base64url. */
export async function fragmentOf(document: LabDocument): Promise<string> {
  const bytes = await through(
    new TextEncoder().encode(JSON.stringify(document)),
    new CompressionStream('deflate-raw'),
  )
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return PREFIX + letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The document in a fragment; null where there is none, or it cannot be read. */
export async function documentIn(fragment: string): Promise<LabDocument | null> {
  if (!fragment.startsWith(PREFIX)) return null
  try {
    const letters = fragment.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))
    const text = new TextDecoder().decode(
      await through(bytes, new DecompressionStream('deflate-raw')),
    )
    const document: unknown = JSON.parse(text)
    return isDocument(document) ? document : null
  } catch {
    return null
  }
}

export function carriesDocument(fragment: string): boolean {
  return fragment.startsWith(PREFIX)
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const flow = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(flow).arrayBuffer())
}
