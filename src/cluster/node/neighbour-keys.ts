import type { Link } from '../../core/language/net.ts'

/** The ids or keys of the neighbours of a node, as configured or as announced. */
export class NeighbourKeys {
  private readonly keys: Map<Link, number>
  /** The link whose neighbour changed its key, while the algorithm is notified. */
  private replaced: Link | null = null
  private resolve = () => {}

  constructor(
    known: Iterable<readonly [Link, number]>,
    private readonly isUp: (link: Link) => boolean,
    private readonly links: () => readonly Link[],
  ) {
    this.keys = new Map(known)
  }

  get(link: Link): number | undefined {
    return this.keys.get(link)
  }

  set(link: Link, key: number): void {
    this.keys.set(link, key)
  }

  delete(link: Link): void {
    this.keys.delete(link)
  }

  up(link: Link): boolean {
    return link !== this.replaced && this.isUp(link)
  }

  /** Whether the key of a neighbour is not known, or may have changed while it was down. */
  isUnknown(link: Link): boolean {
    return !this.keys.has(link) || !this.up(link)
  }

  /** A neighbour announces its key; `notify` says that it went, or that another came. */
  learn(link: Link, key: number, notify: (what: 'down' | 'up') => void): void {
    if (this.keys.get(link) === key) return
    const replaces = !this.isUnknown(link)
    if (replaces) {
      this.replaced = link
      notify('down')
      this.replaced = null
    }
    this.keys.set(link, key)
    if (replaces) notify('up')
    this.check()
  }

  /** Resolves when the keys of all neighbours that are up are known. */
  known(): Promise<void> {
    return new Promise((resolve) => {
      this.resolve = resolve
      this.check()
    })
  }

  check(): void {
    if (this.links().every((link) => this.keys.has(link) || !this.up(link))) this.resolve()
  }
}
