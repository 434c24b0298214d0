#!lua flags=allow-oom
-- REJECT: ends the work for good without a result.
--
-- KEYS
--   *  the records, each followed by its steps unless a cluster is moving the two; one may come more than once
-- ARGV, for each record in turn
--   1  owner token, 12 bytes
--   2  fence of the grant
--   3  retention, ms
--   4  reason, UTF-8
--   5  lease, ms
-- Replies, for each record in turn
--   OK                    ended, now or by an earlier call for this very grant; then the first reason stays
--   LOST record           somebody else's grant, or settled otherwise
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes only on PENDING with this owner and this fence; else the record stays byte-identical.
--   A repeated call that finds its own effect writes it again unchanged: what a replica confirms must contain this call.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local ARGUMENTS = 5

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

local function reject(key, steps, at_argument)
  local owner = ARGV[at_argument + 1]
  local fence = tonumber(ARGV[at_argument + 2])
  local retention = ARGV[at_argument + 3]
  local reason = ARGV[at_argument + 4]
  local lease = tonumber(ARGV[at_argument + 5])

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
  local same_owner = open and string.sub(record, 17, 28) == owner
  if same_fence and state == REJECTED then
    local kept = redis.pcall('SET', key, record, 'KEEPTTL')
    return kept.err and {'ERROR', kept.err} or {'OK'}
  end
  if not (same_fence and same_owner and state == PENDING) then
    return {'LOST', record}
  end

  local rejected = struct.pack('>B', REJECTED) .. string.sub(record, 2, 10) .. struct.pack('>I6', now)
    .. string.sub(record, 29, 44) .. reason
  local stored = redis.pcall('SET', key, rejected, 'PX', retention)
  keep(steps, struct.unpack('>I6', record, 11) - lease, tonumber(retention))
  return stored.err and {'ERROR', stored.err} or {'OK'}
end

local replies = {}
local records = #ARGV / ARGUMENTS
local stride = #KEYS / records
for i = 1, records do
  replies[i] = reject(KEYS[(i - 1) * stride + 1], stride == 2 and KEYS[2 * i], (i - 1) * ARGUMENTS)
end
return replies
