import { raft } from 'conclave'

/**
 * The election of Raft, from the catalogue, as most systems run it: with pre-votes, so that a server
 * that was cut off does not depose a leader when it returns.
 */
export default {
  ...raft,
  name: 'raft-with-pre-votes',
  params: { ...raft.params, prevote: { ...raft.params.prevote, value: (): 'on' => 'on' } },
}
