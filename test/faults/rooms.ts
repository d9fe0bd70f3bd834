/** Which files of this folder kill a room of the server at work: it runs in a process of its own, which no import tells of. */
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
