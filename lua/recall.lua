#!lua flags=allow-oom
-- RECALL: reads the steps that are kept beside a record, for its owner.
--
-- KEYS
--   *  the records, each followed by its steps; one may come more than once
-- ARGV, for all records
--   1  lease, ms
--   2  expiry, ms: the retention, or the lease if that is longer
--   3  expiry of the steps, ms: twice that
-- ARGV, for each record in turn
--   4  fence of the grant, 7 bytes; owner token, 12 bytes
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
-- Cost
--   What only other outcomes need is made when one comes; a function that uses no local of the script is nearly free.

local function otherwise(record)
  local PENDING, COMPLETED, FAILED, REJECTED = 0x11, 0x12, 0x13, 0x14 -- format version 1

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
  return {'LOST', record}
end

local function unreadable(known)
  if type(known) ~= 'table' then
    return {'UNREADABLE', 'steps of another format'}
  end
  return string.find(known.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'steps that are not a string'} or {'ERROR', known.err}
end

local lease = tonumber(ARGV[1])
local expiry = tonumber(ARGV[2])
local steps_expiry = ARGV[3]

local replies = {}
for i = 1, #KEYS / 2 do
  local steps, asked = KEYS[2 * i], ARGV[3 + i]
  local record = redis.pcall('GET', KEYS[2 * i - 1])
  local mine = record and #record == 44 and string.byte(record) == 0x11
    and string.sub(record, 4, 10) == string.sub(asked, 1, 7)
    and string.sub(record, 17, 28) == string.sub(asked, 8, 19)

  local known = mine and redis.pcall('GET', steps)
  if not mine then
    replies[i] = otherwise(record)
  elseif not known or known == '' then
    replies[i] = {'OK'}
  elseif type(known) == 'table' or string.byte(known) ~= 0x33 or #known < 14 then
    replies[i] = unreadable(known)
  else
    local began = struct.unpack('>I6', record, 11) - lease
    if began >= struct.unpack('>I6', known, 9) then
      replies[i] = {'OK'}
    else
      known = string.sub(known, 1, 8) .. struct.pack('>I6', began + expiry) .. string.sub(known, 15)
      local stored = redis.pcall('SET', steps, known, 'PX', steps_expiry)
      replies[i] = stored.err and {'ERROR', stored.err} or {'OK', known}
    end
  end
end
return replies
