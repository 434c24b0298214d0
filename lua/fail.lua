#!lua flags=allow-oom
-- FAIL: releases the key for a retry after a delay.
--
-- KEYS
--   *  the records, each followed by its steps unless a cluster is moving the two; one may come more than once
-- ARGV, for each record in turn
--   1  owner token, 12 bytes
--   2  fence of the grant
--   3  delay until the earliest retry, ms; 0: at once
--   4  retention, ms
--   5  lease, ms
--   6  1: the attempt counts; 0: the record has the attempts that it had before the grant. After a TAKEOVER, whose fence is odd,
--      the outcome of the earlier attempt is then still unknown, and the next grant must say so
-- Replies, for each record in turn
--   OK                    released, now or by an earlier call for this very grant
--   LOST record           somebody else's grant, or settled otherwise
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes only on PENDING with this owner and this fence; else the record stays byte-identical.
--   A repeated call that finds its own effect writes nothing.
--   Never deletes: fence and owner stay, attempts unless this one does not count, and the fingerprint unless none is left.
--   A TAKEOVER that does not count stays PENDING, with a lease that is over and its fingerprint. Nobody owns the record then: the
--   same call, sent again, takes no other attempt back, and the same acquire, sent again, is a TAKEOVER.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local ARGUMENTS = 6
local NO_FINGERPRINT = string.rep('\0', 16)
local NOBODY = string.rep('\0', 12)

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

-- Lets the remembered steps live as long as their record, unless they are those of an earlier record. They say until when
-- their record lived when they were written, and count if the present grant was given before. Redis keeps them for longer.
local function keep(steps, began, expiry)
  local known = steps and redis.pcall('GET', steps)
  if type(known) == 'string' and #known > 14 and string.byte(known) == 0x33 and began < struct.unpack('>I6', known, 9) then
    redis.pcall('SET', steps, string.sub(known, 1, 8) .. struct.pack('>I6', now + expiry) .. string.sub(known, 15), 'PX', 2 * expiry)
  end
end

local function fail(key, steps, at_argument)
  local owner = ARGV[at_argument + 1]
  local fence = tonumber(ARGV[at_argument + 2])
  local delay = tonumber(ARGV[at_argument + 3])
  local retention = tonumber(ARGV[at_argument + 4])
  local lease = tonumber(ARGV[at_argument + 5])
  local counted = tonumber(ARGV[at_argument + 6])

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

  local same_fence = struct.unpack('>I7', record, 4) == fence
  local known_owner = open and string.sub(record, 17, 28)
  local same_owner = known_owner == owner
  local left = counted == 0 and fence % 2 == 1
  if left and same_fence and state == PENDING and known_owner == NOBODY then
    return {'OK'}
  end
  if not (same_fence and same_owner) then
    return {'LOST', record}
  end
  if state == FAILED then
    return {'OK'}
  end

  local attempts = math.max(0, struct.unpack('>I2', record, 2) + counted - 1)
  local released = struct.pack('>BI2', left and PENDING or FAILED, attempts) .. string.sub(record, 4, 10)
    .. struct.pack('>I6', now + delay) .. (left and NOBODY or owner)
    .. (attempts == 0 and not left and NO_FINGERPRINT or string.sub(record, 29))
  local expiry = retention >= delay and ARGV[at_argument + 4] or ARGV[at_argument + 3]
  local stored = redis.pcall('SET', key, released, 'PX', expiry)
  keep(steps, struct.unpack('>I6', record, 11) - lease, tonumber(expiry))
  return stored.err and {'ERROR', stored.err} or {'OK'}
end

local replies = {}
local records = #ARGV / ARGUMENTS
local stride = #KEYS / records
for i = 1, records do
  replies[i] = fail(KEYS[(i - 1) * stride + 1], stride == 2 and KEYS[2 * i], (i - 1) * ARGUMENTS)
end
return replies
