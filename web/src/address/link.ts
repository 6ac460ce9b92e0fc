import { isDocument, type LabDocument } from '../model/lab-document.ts'
import { fragmentFor } from './fragment.ts'

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
export async function documentIn(letters: string): Promise<LabDocument | null> {
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
