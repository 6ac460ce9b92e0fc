/** What is kept of an experiment in the repository. */
export interface StoredResult {
  readonly title: string
  readonly discussion: string
  readonly command: string
  readonly version: string
  readonly seed: number
  readonly runs: number
  readonly claims: readonly {
    readonly says: string
    readonly holds: boolean
    readonly found: string
  }[]
  readonly growth: readonly string[]
  readonly figures: readonly string[]
}

/** The page that shows every experiment of the repository, as Markdown. */
export function reproduction(
  experiments: readonly (readonly [name: string, kept: StoredResult])[],
): string {
  const claims = experiments.flatMap(([, kept]) => kept.claims)
  const held = claims.filter(({ holds }) => holds).length
  const parts = [
    '# The claims of the texts, reproduced',
    'This page is written by `npm run experiments`, which runs everything in [experiments/](../experiments). Each experiment is one file: what is run and swept, and what is claimed of it. The texts are numbered in [conventions.md](conventions.md).',
    `${held} of ${claims.length} claims hold, in ${experiments.length} experiments.`,
    ...experiments.map(([name, kept]) => section(name, kept)),
  ]
  return `${parts.join('\n\n')}\n`
}

function section(
  name: string,
  { title, discussion, command, runs, claims, growth, figures }: StoredResult,
): string {
  const parts = [
    `## ${title}`,
    discussion,
    claims.map(({ says, holds, found }) => `- ${holds ? '✓' : '✗'} ${says}: ${found}`).join('\n'),
    ...(growth.length > 0 ? [growth.map((sentence) => `- ${sentence}`).join('\n')] : []),
    ...figures.map(
      (figure) => `![${title}, ${figure}](../experiments/results/${name}/${figure}.svg)`,
    ),
    `${runs} runs by \`${command}\`; [means](../experiments/results/${name}/summary.csv).`,
  ]
  return parts.join('\n\n')
}
