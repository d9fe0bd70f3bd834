/** Files of this folder that kill a room of the server at work: the room runs in a process of its own, so no import shows it. */
export const FAULTS_OF_ROOMS: Readonly<Record<string, readonly string[]>> = {
  auth: ['two-processes'],
  conversations: ['killed'],
  credit: ['killed'],
  files: ['killed'],
  gateway: ['killed'],
  knowledge: ['killed'],
  ledger: ['killed'],
  organizations: ['two-processes'],
  runs: ['killed', 'two-processes'],
  tasks: ['killed'],
  translate: ['killed'],
}
