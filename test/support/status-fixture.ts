import type { CoordinatorStatus } from '../../src/coordinator/operations/status.ts'

const remote = { term: null, leads: false, leaseMs: null, votes: true }

/** What member a knows, who leads one of two roles. */
export function statusFixture(): CoordinatorStatus {
  return {
    name: 'billing',
    me: 'a',
    problems: [],
    configuration: { term: 1, number: 2, voters: ['a', 'b', 'c'], next: null, witnesses: ['c'] },
    members: [
      {
        id: 'a',
        address: '10.0.0.1:7001',
        reachable: true,
        votes: true,
        term: 7,
        leads: true,
        leaseMs: 812,
        roundTripMs: null,
        silentMs: null,
        incarnation: '4-00',
        pid: 4711,
      },
      {
        ...remote,
        id: 'b',
        address: '10.0.0.2:7001',
        reachable: true,
        roundTripMs: 0.4,
        silentMs: 61,
        incarnation: '2-00',
        pid: 815,
      },
      {
        ...remote,
        id: 'c',
        address: '10.0.0.3:7001',
        reachable: false,
        roundTripMs: null,
        silentMs: 12_345,
        incarnation: null,
        pid: null,
      },
    ],
    leader: null,
    term: null,
    roles: {
      cron: { leader: 'a', pid: 4711, term: 7, leaseMs: 812, leads: true, stands: true },
      mail: { leader: 'b', pid: null, term: 3, leaseMs: null, leads: false, stands: true },
    },
    latenessMs: 1,
  }
}
