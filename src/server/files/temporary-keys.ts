import { AwsClient } from 'aws4fetch'
import type { StoreConfig } from '#server/core/config.ts'
import { asString, getField } from '#server/core/json.ts'
import { callTencentCloud } from '#server/core/tencent-cloud.ts'
import { CREDENTIAL_SECONDS } from './object-store.ts'

type S3Config = Extract<StoreConfig, { kind: 's3' }>
type CosConfig = Extract<StoreConfig, { kind: 'cos' }>
export type TemporaryKeys = { secret_id: string; secret_key: string; token: string; expire_time: number }

const TIMEOUT_MS = 10_000

/** Requests keys from the store's token service that can put below a prefix and do nothing else. Rejects with its failure. */
export const requestTemporaryKeys = (config: S3Config | CosConfig, prefix: string): Promise<TemporaryKeys> =>
  config.kind === 's3' ? assumeRole(config, prefix) : getFederationToken(config, prefix)

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html; MinIO and Ceph answer the same call. */
async function assumeRole(config: S3Config, prefix: string): Promise<TemporaryKeys> {
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
        Resource: [`arn:aws:s3:::${config.bucket}/${prefix}*`],
      },
    ],
  }
  const body = new URLSearchParams({
    Action: 'AssumeRole',
    Version: '2011-06-15',
    DurationSeconds: String(CREDENTIAL_SECONDS),
    RoleArn: config.role_arn,
    RoleSessionName: 'wenqu-upload',
    Policy: JSON.stringify(policy),
  }).toString()
  const { secret_id, secret_key, region } = config
  const keys = { accessKeyId: secret_id, secretAccessKey: secret_key }
  const response = await new AwsClient({ ...keys, region, service: 'sts', retries: 0 }).fetch(
    config.sts_endpoint,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body,
      aws: { allHeaders: true },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    },
  )
  const xml = await response.text()
  // A token service's message about a refusal has no secret in it.
  if (!response.ok)
    throw new Error(`the token service answered with status ${response.status}: ${xml.slice(0, 300)}`)
  const read = (name: string): string =>
    new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`).exec(xml)?.[1] ?? ''
  return requireKeys({
    secret_id: read('AccessKeyId'),
    secret_key: read('SecretAccessKey'),
    token: read('SessionToken'),
    expire_time: Math.floor(Date.parse(read('Expiration')) / 1000),
  })
}

/**
 * https://cloud.tencent.com/document/product/1312/48195. The official package (qcloud-cos-sts) would bring in another HTTP client
 * for this one call.
 */
async function getFederationToken(config: CosConfig, prefix: string): Promise<TemporaryKeys> {
  const { bucket, region } = config
  const appId = bucket.slice(bucket.lastIndexOf('-') + 1)
  const policy = {
    version: '2.0',
    statement: [
      {
        effect: 'allow',
        action: [
          'PutObject',
          'InitiateMultipartUpload',
          'UploadPart',
          'CompleteMultipartUpload',
          'AbortMultipartUpload',
          'ListParts',
        ].map((name) => `name/cos:${name}`),
        resource: [`qcs::cos:${region}:uid/${appId}:${bucket}/${prefix}*`],
      },
    ],
  }
  const call = { service: 'sts', action: 'GetFederationToken', version: '2018-08-13', region } as const
  const response = await callTencentCloud(
    config,
    { ...call, endpoint: config.sts_endpoint },
    {
      Name: 'wenqu-upload',
      Policy: encodeURIComponent(JSON.stringify(policy)),
      DurationSeconds: CREDENTIAL_SECONDS,
    },
  )
  const keys = getField(response, 'Credentials')
  return requireKeys({
    secret_id: asString(getField(keys, 'TmpSecretId')),
    secret_key: asString(getField(keys, 'TmpSecretKey')),
    token: asString(getField(keys, 'Token')),
    expire_time: Number(getField(response, 'ExpiredTime')),
  })
}

function requireKeys(keys: TemporaryKeys): TemporaryKeys {
  if (!keys.secret_id || !keys.secret_key || !keys.token || !Number.isFinite(keys.expire_time))
    throw new Error('the token service answered without keys')
  return keys
}
