import { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

// Uploads with the keys that GET /cos/credential gave; how long it took goes to standard output.

const { credential, endpoint, key, megabytes, seed } = JSON.parse(await text(process.stdin))
const client = new S3Client({
  endpoint,
  region: credential.region,
  forcePathStyle: true,
  credentials: {
    accessKeyId: credential.secret_id,
    secretAccessKey: credential.secret_key,
    sessionToken: credential.token,
  },
})
const bytes = Buffer.from(seed, 'base64')
function* chunks() {
  for (let n = 0; n < megabytes; n++) yield bytes
}
const started = performance.now()
const upload = new Upload({
  client,
  params: { Bucket: credential.bucket, Key: key, Body: Readable.from(chunks()) },
  partSize: 50 * 1024 * 1024,
  queueSize: 3,
})
await upload.done()
process.stdout.write(JSON.stringify({ ms: Math.round(performance.now() - started) }))
