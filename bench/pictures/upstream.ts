import { setPriority } from 'node:os'
import { startUpstream } from '#test/world/upstream/upstream.ts'

// The scripted upstream as a process of its own. It reports the pictures of each request, decoded. Platforms work elsewhere: this
// one's CPU must not be taken from the server.

setPriority(15)
const upstream = await startUpstream({ answer: () => ({ text: '看到了。' }) })
process.on('disconnect', () => process.exit())
process.send!(upstream.url)
setInterval(() => {
  for (const { answered, pictures } of upstream.requests.splice(0)) process.send!({ answered, pictures })
}, 500)
