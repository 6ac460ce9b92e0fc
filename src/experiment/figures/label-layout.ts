/** Words at the ends of lines, pushed apart so that none lies over another. */

export interface LabelRequest {
  /** Where its middle would like to be. */
  readonly y: number
  readonly height: number
}

/**
 * Middles in the order of the wishes, as near to them as can be, with nothing overlapping between
 * top and bottom. Neighbours that collide are joined into a block that stands at the mean of what
 * its members want, until no blocks collide any more.
 */
export function pushedApart(
  wishes: readonly LabelRequest[],
  top: number,
  bottom: number,
): number[] {
  const order = wishes.map((_, i) => i).sort((a, b) => wishes[a].y - wishes[b].y || a - b)
  const blocks: Block[] = []
  for (const index of order) {
    let block = placed([index], wishes, top, bottom)
    for (let above = blocks.at(-1); above && above.end > block.start; above = blocks.at(-1)) {
      blocks.pop()
      block = placed([...above.members, ...block.members], wishes, top, bottom)
    }
    blocks.push(block)
  }
  const middles: number[] = []
  for (const { members, start } of blocks) {
    let y = start
    for (const index of members) {
      middles[index] = y + wishes[index].height / 2
      y += wishes[index].height
    }
  }
  return middles
}

interface Block {
  readonly members: readonly number[]
  readonly start: number
  readonly end: number
}

function placed(
  members: readonly number[],
  wishes: readonly LabelRequest[],
  top: number,
  bottom: number,
): Block {
  let [height, wanted] = [0, 0]
  for (const index of members) {
    wanted += wishes[index].y - wishes[index].height / 2 - height
    height += wishes[index].height
  }
  const start = Math.max(top, Math.min(bottom - height, wanted / members.length))
  return { members, start, end: start + height }
}
