#!lua flags=allow-oom
-- REMEMBER: keeps a step beside its record, so that no later attempt does it again.
--
-- KEYS
--   *  the records, each followed by its steps; one may come more than once
-- ARGV, for all records
--   1  lease, ms
--   2  expiry, ms: the retention, or the lease if that is longer
--   3  expiry of the steps, ms: twice that
-- ARGV, for each record in turn
--   4  fence of the grant, 7 bytes; owner token, 12 bytes; format of the steps, 1 byte; life that the step belongs to, 7 bytes: the
--      fence of the grant whose attempt remembered the first step; the step: kind (1: done, 2: begun), length of its id in one byte,
--      id, fence 7, length of its result 4, result
-- Replies, for all records
--   OK                    all remembered
-- Replies, for each record in turn, if it is not so
--   OK                    remembered, now or by an earlier call
--   LOST record           somebody else's grant, or settled
--   LOST                  there is no record
--   UNREADABLE what       not a record or not steps of this format; left as they are
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes only while the record is PENDING with this owner and this fence, live or lapsed; never writes the record.
--   The first step of an id that was done counts; done beats begun. Steps of another life are replaced.
--   A repeated call writes its own effect again unchanged: what a replica confirms must contain this call.
--   Steps of an earlier record are replaced too: what is kept says until when its record lived, and counts if the present
--   grant was given before.
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

-- The known steps with the one that is asked for, or nothing and an answer.
local function joined(known, asked, began, ended)
  local STEPS, DONE = 0x33, 1

  if type(known) == 'table' then
    return nil, string.find(known.err, 'WRONGTYPE', 1, true) and {'UNREADABLE', 'steps that are not a string'} or {'ERROR', known.err}
  end
  if string.byte(known) ~= STEPS or #known < 14 then
    return nil, {'UNREADABLE', 'steps of another format'}
  end

  local life, step = string.sub(asked, 20, 27), string.sub(asked, 28)
  if string.sub(known, 1, 8) ~= life or began >= struct.unpack('>I6', known, 9) then
    return life .. ended .. step
  end
  if string.sub(known, 9, 14) ~= ended then
    known = life .. ended .. string.sub(known, 15)
  end

  local kind, id = struct.unpack('>BBc0', step)
  local at = 15
  while at <= #known do
    local whole, other, other_id, _, length, following = pcall(struct.unpack, '>BBc0I7I4', known, at)
    if not whole then
      return nil, {'UNREADABLE', 'steps that are cut off'}
    end
    if other_id == id and (other == DONE or other == kind) then
      return known
    end
    at = following + length
  end
  return known .. step
end

local lease = tonumber(ARGV[1])
local expiry = tonumber(ARGV[2])
local steps_expiry = ARGV[3]

local replies
for i = 1, #KEYS / 2 do
  local steps, asked = KEYS[2 * i], ARGV[3 + i]
  local record = redis.pcall('GET', KEYS[2 * i - 1])
  local mine = record and #record == 44 and string.byte(record) == 0x11
    and string.sub(record, 4, 10) == string.sub(asked, 1, 7)
    and string.sub(record, 17, 28) == string.sub(asked, 8, 19)

  local kept, answer
  if mine then
    local known = redis.pcall('GET', steps)
    local began = struct.unpack('>I6', record, 11) - lease
    local ended = struct.pack('>I6', began + expiry)
    if known and known ~= '' then
      kept, answer = joined(known, asked, began, ended)
    else
      kept = string.sub(asked, 20, 27) .. ended .. string.sub(asked, 28)
    end
  else
    answer = otherwise(record)
  end
  if kept then
    local stored = redis.pcall('SET', steps, kept, 'PX', steps_expiry)
    answer = stored.err and {'ERROR', stored.err}
  end
  if answer then
    replies = replies or {}
    replies[i] = answer
  end
end

if not replies then
  return 'OK'
end
for i = 1, #KEYS / 2 do
  replies[i] = replies[i] or {'OK'}
end
return replies
