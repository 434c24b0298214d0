#!lua
-- ACQUIRE: asks for the right to do the work of each record.
--
-- KEYS
--   *  the records; one may come more than once
-- ARGV, for each record in turn
--   1  owner token, 12 bytes
--   2  lease, ms
--   3  retention, ms
--   4  fingerprint, 16 bytes; all zero: none given
--   5  fence floor; the fence of a new grant is greater
--   6  most grants of the record; 0: no limit
-- Replies, for each record in turn
--   GRANTED kind record   kind: FRESH, RETRY after a failure, TAKEOVER after a lapsed lease, REENTRANT to the same owner
--   REPLAY record         completed before
--   REJECTED record       failed for good before
--   NOT_YET ms            failed before and asked for a delay; what is left of it
--   IN_PROGRESS ms        another owner's lease is live; what is left of it
--   MISMATCH              used before with another fingerprint
--   EXHAUSTED record      all grants are used up
--   UNREADABLE what       not a record of this format; left as it is
--   ERROR message         Redis refused to read or write it
-- Invariant
--   A grant that is not REENTRANT is given only if no lease is live, and its fence is greater than every fence before.
--   Writes only when it grants. REENTRANT writes too: what a replica confirms must contain this call.
--   No record's answer depends on its neighbours, but for one record asked for twice: then the first call comes first.
--   Not flagged allow-oom: a full Redis takes no new work, but settles what it has.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local NO_FINGERPRINT = string.rep('\0', 16)
local MOST_ATTEMPTS = 65535
local FENCE_LIMIT = 9007199254740991
local ARGUMENTS = 6

local time = redis.call('TIME')
local micros = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = math.floor(micros / 1000)

local function pending(attempts, fence, lease_end, owner, fingerprint)
  return struct.pack('>BI2I7I6', PENDING, attempts, fence, lease_end) .. owner .. fingerprint
end

local function store(key, record, expiry, reply)
  local stored = redis.pcall('SET', key, record, 'PX', expiry)
  return stored.err and {'ERROR', stored.err} or reply
end

local function acquire(key, at_argument)
  local owner = ARGV[at_argument + 1]
  local lease = tonumber(ARGV[at_argument + 2])
  local retention = tonumber(ARGV[at_argument + 3])
  local fingerprint = ARGV[at_argument + 4]
  local fence_floor = tonumber(ARGV[at_argument + 5])
  local max_attempts = tonumber(ARGV[at_argument + 6])

  local expiry = ARGV[at_argument + (retention >= lease and 3 or 2)]
  local fresh = pending(1, math.max(fence_floor + 1, micros), now + lease, owner, fingerprint)
  local found = redis.pcall('SET', key, fresh, 'NX', 'GET', 'PX', expiry)
  if not found then
    return {'GRANTED', 'FRESH', fresh}
  end
  if type(found) == 'table' then
    return string.find(found.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'not a string'} or {'ERROR', found.err}
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
    local same = pending(attempts, fence, lease_end, owner, known)
    local kept = string.format('%d', math.max(retention, lease_end - now))
    return store(key, same, kept, {'GRANTED', 'REENTRANT', same})
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
    owner,
    fingerprint ~= NO_FINGERPRINT and fingerprint or known)
  return store(key, granted, expiry, {'GRANTED', state == FAILED and 'RETRY' or 'TAKEOVER', granted})
end

local replies = {}
for i, key in ipairs(KEYS) do
  replies[i] = acquire(key, (i - 1) * ARGUMENTS)
end
return replies
