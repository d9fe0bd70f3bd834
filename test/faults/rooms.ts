/** Files of this folder that kill a room of the server at work: the room runs in a process of its own, so no import shows it. */
export const FAULTS_OF_ROOMS: Readonly<Record<string, readonly string[]>> = {
  auth: ['two-processes'],
  conversations: ['answers', 'streams'],
  credit: ['payments'],
  files: ['files'],
  gateway: ['charging', 'streams'],
  knowledge: ['knowledge'],
  ledger: ['charging', 'payments'],
  organizations: ['two-processes'],
  runs: ['answers', 'charging', 'streams', 'roles'],
  tasks: ['tasks', 'translations', 'knowledge'],
  translate: ['translations'],
}
