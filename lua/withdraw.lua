#!lua flags=allow-oom
-- WITHDRAW: takes back a grant that its owner was never told of, as if it had not been given.
--
-- KEYS
--   *  the records; one may come more than once
-- ARGV, for each record in turn
--   1  the record as the grant answered it, 44 bytes
--   2  KNOWN: the record is free for a retry; UNKNOWN: another owner's outcome is unknown, and the next grant must say so
-- Replies, for each record in turn
--   OK                    taken back, now or by an earlier call for this very grant
--   LOST record           the record is not what the grant left
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes only on the very bytes that the grant wrote: a grant that the same owner was given again is not touched by a
--   withdrawal that comes late.
--   The attempt does not count; fence and fingerprint stay. The expiry stays too.
--   KNOWN, the owner stays. UNKNOWN, nobody owns the record: to its owner the same request, sent again, would be REENTRANT,
--   which does not tell that the outcome is unknown.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local ARGUMENTS = 2
local NOBODY = string.rep('\0', 12)

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local function withdraw(key, at_argument)
  local granted = ARGV[at_argument + 1]
  local outcome = ARGV[at_argument + 2]
  local unknown = outcome == 'UNKNOWN'
  local free = unknown and PENDING or FAILED
  local owner = unknown and NOBODY or string.sub(granted, 17, 28)

  local record = redis.pcall('GET', key)
  if not record then
    return {'LOST'}
  end
  if type(record) == 'table' then
    return string.find(record.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'not a string'} or {'ERROR', record.err}
  end

  local length, state = #record, string.byte(record)
  local open = length == 44 and (state == PENDING or state == FAILED)
  local settled = length >= 32 and (state == COMPLETED or state == REJECTED)
  if not open and not settled then
    return {'UNREADABLE', string.format('%d bytes that begin with 0x%02x', length, state or 0)}
  end

  if record ~= granted then
    local same_fence = struct.unpack('>I7', record, 4) == struct.unpack('>I7', granted, 4)
    local taken_back = state == free and same_fence and string.sub(record, 17, 28) == owner
    return taken_back and {'OK'} or {'LOST', record}
  end

  local attempts = struct.unpack('>I2', record, 2)
  local withdrawn = struct.pack('>BI2', free, math.max(0, attempts - 1))
    .. string.sub(record, 4, 10) .. struct.pack('>I6', now) .. owner .. string.sub(record, 29)
  local stored = redis.pcall('SET', key, withdrawn, 'KEEPTTL')
  return stored.err and {'ERROR', stored.err} or {'OK'}
end

local replies = {}
for i, key in ipairs(KEYS) do
  replies[i] = withdraw(key, (i - 1) * ARGUMENTS)
end
return replies
