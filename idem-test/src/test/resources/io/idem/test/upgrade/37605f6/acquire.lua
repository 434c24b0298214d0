#!lua
-- ACQUIRE: asks for the right to do the work of one record.
--
-- KEYS
--   1  the record
-- ARGV
--   1  owner token, 12 bytes
--   2  lease, ms
--   3  retention, ms
--   4  fingerprint, 16 bytes; all zero: none given
--   5  fence floor; the fence of a new grant is greater
--   6  most grants of the record; 0: no limit
-- Replies
--   GRANTED kind record   kind: FRESH, RETRY after a failure, TAKEOVER after a lapsed lease, REENTRANT to the same owner
--   REPLAY record         completed before
--   REJECTED record       failed for good before
--   NOT_YET ms            failed before and asked for a delay; what is left of it
--   IN_PROGRESS ms        another owner's lease is live; what is left of it
--   MISMATCH              used before with another fingerprint
--   EXHAUSTED record      all grants are used up
--   UNREADABLE what       not a record of this format; left as it is
-- Invariant
--   A grant that is not REENTRANT is given only if no lease is live, and its fence is greater than every fence before.
--   Writes only when it grants. REENTRANT writes too: what a replica confirms must contain this call.
--   Not flagged allow-oom: a full Redis takes no new work, but settles what it has.

local key = KEYS[1]
local owner = ARGV[1]
local lease = tonumber(ARGV[2])
local retention = tonumber(ARGV[3])
local fingerprint = ARGV[4]
local fence_floor = tonumber(ARGV[5])
local max_attempts = tonumber(ARGV[6])

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local NO_FINGERPRINT = string.rep('\0', 16)
local MOST_ATTEMPTS = 65535
local FENCE_LIMIT = 9007199254740991

local time = redis.call('TIME')
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = math.floor(micros / 1000)

local function pending(attempts, fence, lease_end, known_fingerprint)
  return struct.pack('>BI2I7I6', PENDING, attempts, fence, lease_end) .. owner .. known_fingerprint
end

local expiry = retention >= lease and ARGV[3] or ARGV[2]
local fresh = pending(1, math.max(fence_floor + 1, micros), now + lease, fingerprint)
local found = redis.pcall('SET', key, fresh, 'NX', 'GET', 'PX', expiry)
if not found then
  return {'GRANTED', 'FRESH', fresh}
end
if type(found) == 'table' then
  return string.find(found.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'not a string'} or found
end

local length, state = #found, string.byte(found)
local open = length == 44 and (state == PENDING or state == FAILED)
local settled = length >= 32 and (state == COMPLETED or state == REJECTED)
if not open and not settled then
  return {'UNREADABLE', string.format('%d bytes that begin with 0x%02x', length, state or 0)}
end
local _, attempts, fence, at = struct.unpack('>BI2I7I6', found)
if fence >= FENCE_LIMIT then
  return {'UNREADABLE', 'its fence is not below 2^53'}
end

local known = open and string.sub(found, 29, 44) or string.sub(found, 17, 32)
if fingerprint ~= NO_FINGERPRINT and known ~= NO_FINGERPRINT and fingerprint ~= known then
  return {'MISMATCH'}
end
if state == COMPLETED then
  return {'REPLAY', found}
end
if state == REJECTED then
  return {'REJECTED', found}
end
if state == FAILED and at > now then
  return {'NOT_YET', string.format('%d', at - now)}
end

if state == PENDING and string.sub(found, 17, 28) == owner then
  local lease_end = math.max(at, now + lease)
  local same = pending(attempts, fence, lease_end, known)
  redis.call('SET', key, same, 'PX', string.format('%d', math.max(retention, lease_end - now)))
  return {'GRANTED', 'REENTRANT', same}
end
if state == PENDING and at > now then
  return {'IN_PROGRESS', string.format('%d', at - now)}
end
if max_attempts ~= 0 and attempts >= max_attempts then
  return {'EXHAUSTED', found}
end

local granted = pending(
  math.min(attempts + 1, MOST_ATTEMPTS),
  math.max(fence + 1, fence_floor + 1, micros),
  now + lease,
  fingerprint ~= NO_FINGERPRINT and fingerprint or known)
redis.call('SET', key, granted, 'PX', expiry)
return {'GRANTED', state == FAILED and 'RETRY' or 'TAKEOVER', granted}
