/** Vertical positions of labels, without overlaps. */

export interface LabelRequest {
  /** The desired centre. */
  readonly y: number
  readonly height: number
}

/**
 * The centres, in the order of the requests and as near to them as possible, without overlaps
 * between top and bottom. Colliding neighbours are merged into a block at the mean of the desired
 * positions, until no blocks collide.
 */
export function pushedApart(
  requests: readonly LabelRequest[],
  top: number,
  bottom: number,
): number[] {
  const order = requests.map((_, i) => i).sort((a, b) => requests[a].y - requests[b].y || a - b)
  const blocks: Block[] = []
  for (const index of order) {
    let block = placed([index], requests, top, bottom)
    for (let above = blocks.at(-1); above && above.end > block.start; above = blocks.at(-1)) {
      blocks.pop()
      block = placed([...above.members, ...block.members], requests, top, bottom)
    }
    blocks.push(block)
  }
  const middles: number[] = []
  for (const { members, start } of blocks) {
    let y = start
    for (const index of members) {
      middles[index] = y + requests[index].height / 2
      y += requests[index].height
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
  requests: readonly LabelRequest[],
  top: number,
  bottom: number,
): Block {
  let [height, wanted] = [0, 0]
  for (const index of members) {
    wanted += requests[index].y - requests[index].height / 2 - height
    height += requests[index].height
  }
  const start = Math.max(top, Math.min(bottom - height, wanted / members.length))
  return { members, start, end: start + height }
}
