import { signal } from '@preact/signals'
import { run } from '../model/lab.ts'
import { currentFragment } from './history.ts'
import { recall, remember } from './kept.ts'
import { runTitle } from './title.ts'

const KEPT = 'address of the lab elsewhere'

/** Where others find the lab; empty for the address of this page. */
export const elsewhere = signal(textOf(recall(KEPT)))

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function setElsewhere(address: string): void {
  elsewhere.value = address.trim()
  remember(KEPT, elsewhere.value)
}

/**
 * Whether the address of this page means another machine, or nothing, to anyone else: it is then of
 * no use in a link.
 */
export function isLocal(): boolean {
  const { protocol, hostname } = location
  return protocol === 'file:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

/** A frame for slides: the stage and the clock of what is shown now. */
export async function frameCode(): Promise<string> {
  const title = runTitle(run.value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const size = 'width="960" height="640"'
  return `<iframe src="${await sharedLink(true)}" title="${title}" ${size}></iframe>`
}

/** The link to what is shown now, or to a frame of it. */
export async function sharedLink(framed = false): Promise<string> {
  const [here] = location.href.split(/[?#]/)
  const page = (elsewhere.value || here).replace(/[?#].*$/, '')
  return `${page}${framed ? '?embed' : ''}${await currentFragment()}`
}
