#!lua flags=allow-oom
-- RECALL: reads the steps that are kept beside a record, for its owner.
--
-- KEYS
--   *  the records, each followed by its steps; one may come more than once
-- ARGV, for each record in turn
--   1  fence of the grant, 7 bytes; owner token, 12 bytes
--   2  lease, ms
--   3  retention, ms
-- Replies, for each record in turn
--   OK steps              what is kept: format, life 7, end of the record 6, steps as REMEMBER takes them
--   OK                    nothing is kept
--   LOST record           somebody else's grant, or settled
--   LOST                  there is no record
--   UNREADABLE what       not a record or not steps of this format; left as they are
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes nothing but the expiry of the steps. Those of an earlier record do not count: what is kept says until when its
--   record lived, and counts if the present grant was given before.

local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1
local STEPS = 0x33
local ARGUMENTS = 3

local function recall(key, steps, at_argument)
  local grant = ARGV[at_argument + 1]
  local lease = tonumber(ARGV[at_argument + 2])
  local retention = tonumber(ARGV[at_argument + 3])

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
  local mine = state == PENDING and string.sub(record, 4, 10) == string.sub(grant, 1, 7)
    and string.sub(record, 17, 28) == string.sub(grant, 8, 19)
  if not mine then
    return {'LOST', record}
  end

  local known = redis.pcall('GET', steps)
  if type(known) == 'table' then
    return string.find(known.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'steps that are not a string'} or {'ERROR', known.err}
  end
  if known and known ~= '' and (string.byte(known) ~= STEPS or #known < 14) then
    return {'UNREADABLE', 'steps of another format'}
  end

  local began = struct.unpack('>I6', record, 11) - lease
  local expiry = math.max(retention, lease)
  if not known or known == '' or began >= struct.unpack('>I6', known, 9) then
    return {'OK'}
  end
  known = string.sub(known, 1, 8) .. struct.pack('>I6', began + expiry) .. string.sub(known, 15)
  local stored = redis.pcall('SET', steps, known, 'PX', 2 * expiry)
  return stored.err and {'ERROR', stored.err} or {'OK', known}
end

local replies = {}
for i = 1, #KEYS / 2 do
  replies[i] = recall(KEYS[2 * i - 1], KEYS[2 * i], (i - 1) * ARGUMENTS)
end
return replies
