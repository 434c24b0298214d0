#!lua
-- ACQUIRE: asks for the right to do the work of each record.
--
-- KEYS
--   *  the records; one may come more than once
-- ARGV, for all records
--   1  lease, ms
--   2  expiry, ms: the retention, or the lease if that is longer
--   3  most grants of a record; 0: no limit
-- ARGV, for each record in turn
--   4  owner token, 12 bytes; fingerprint, 16 bytes, all zero: none given; fence floor, 7 bytes, or nothing for 0
-- Replies, for all records
--   fence                 all GRANTED FRESH with this fence, a number; the leases run from its millisecond
-- Replies, for each record in turn, if it is not so
--   fence                 as above
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
--   The fence of a TAKEOVER is odd, that of a FRESH or RETRY even: a REENTRANT tells so whether its grant was a takeover.
--   Not flagged allow-oom: a full Redis takes no new work, but settles what it has.
-- Cost
--   What only known records need is made when one comes; a function that uses no local of the script is nearly free.

local function known(key, asked, found, micros)
  local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
  local NO_FINGERPRINT = string.rep('\0', 16)
  local MOST_ATTEMPTS = 65535
  local FENCE_LIMIT = 9007199254740991

  local lease = tonumber(ARGV[1])
  local expiry = ARGV[2]
  local max_attempts = tonumber(ARGV[3])
  local owner, fingerprint = string.sub(asked, 1, 12), string.sub(asked, 13, 28)
  local fence_floor = #asked > 28 and struct.unpack('>I7', asked, 29) or 0
  local now = math.floor(micros / 1000)

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

  local recorded = open and string.sub(found, 29, 44) or string.sub(found, 17, 32)
  if fingerprint ~= NO_FINGERPRINT and recorded ~= NO_FINGERPRINT and fingerprint ~= recorded then
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

  local same_owner = state == PENDING and string.sub(found, 17, 28) == owner
  if state == PENDING and not same_owner and at > now then
    return {'IN_PROGRESS', string.format('%d', at - now)}
  end
  if not same_owner and max_attempts ~= 0 and attempts >= max_attempts then
    return {'EXHAUSTED', found}
  end

  local kind = same_owner and 'REENTRANT' or state == FAILED and 'RETRY' or 'TAKEOVER'
  local lease_end = now + lease
  if same_owner then
    lease_end = math.max(at, lease_end)
    expiry = string.format('%d', math.max(tonumber(expiry), lease_end - now))
  else
    attempts = math.min(attempts + 1, MOST_ATTEMPTS)
    fence = math.max(fence + 1, fence_floor + 1, micros)
    fence = fence + (fence + (kind == 'TAKEOVER' and 1 or 0)) % 2
    recorded = fingerprint ~= NO_FINGERPRINT and fingerprint or recorded
  end
  local granted = struct.pack('>BI2I7I6', PENDING, attempts, fence, lease_end) .. owner .. recorded
  local stored = redis.pcall('SET', key, granted, 'PX', expiry)
  return stored.err and {'ERROR', stored.err} or {'GRANTED', kind, granted}
end

local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local even = micros + micros % 2
local lease_end = even / 1000 + ARGV[1] -- packing drops the fraction
local expiry = ARGV[2]
local fresh = struct.pack('>BI2I7I6', 0x11, 1, even, lease_end)

local replies
for i = 1, #KEYS do
  local key, asked = KEYS[i], ARGV[3 + i]
  local record = fresh .. asked
  local above_clock = false
  if #asked > 28 then
    local fence = math.max(struct.unpack('>I7', asked, 29) + 1, even)
    fence = fence + fence % 2
    record = struct.pack('>BI2I7I6', 0x11, 1, fence, lease_end) .. string.sub(asked, 1, 28)
    above_clock = fence > even
  end

  local found = redis.pcall('SET', key, record, 'NX', 'GET', 'PX', expiry)
  if found or above_clock then
    replies = replies or {}
    replies[i] = found and known(key, asked, found, micros) or {'GRANTED', 'FRESH', record}
  end
end

if not replies then
  return even
end
for i = 1, #KEYS do
  replies[i] = replies[i] or even
end
return replies
