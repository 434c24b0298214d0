#!lua flags=allow-oom
-- COMPLETE: stores the outcome for good.
--
-- KEYS
--   *  the records, each followed by its steps if those are to be forgotten; one may come more than once
-- ARGV, for all records
--   1  retention, ms
-- ARGV, for each record in turn
--   2  fence of the grant, 7 bytes; owner token, 12 bytes; result: empty, or length of the codec's name in one byte, the name, the content
-- Replies, for all records
--   OK                    all stored
-- Replies, for each record in turn, if it is not so
--   OK                    stored
--   OK record             this very grant was completed before; the record has its first result
--   LOST record           somebody else's grant, or settled otherwise
--   LOST                  there is no record
--   UNREADABLE what       not a record of this format; left as it is
--   ERROR message         Redis refused to read or write it
-- Invariant
--   Writes only on PENDING with this owner and this fence; else the record stays byte-identical.
--   A repeated call that finds its own effect writes it again unchanged: what a replica confirms must contain this call.
-- Cost
--   What only other outcomes need is made when one comes; a function that uses no local of the script is nearly free.

local function otherwise(key, asked, record)
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

  local same_fence = string.sub(record, 4, 10) == string.sub(asked, 1, 7)
  if not (same_fence and state == COMPLETED) then
    return {'LOST', record}
  end
  local kept = redis.pcall('SET', key, record, 'KEEPTTL')
  return kept.err and {'ERROR', kept.err} or {'OK', record}
end

local retention = ARGV[1]
local time = redis.call('TIME')
local at = struct.pack('>I6', time[1] * 1000 + time[2] / 1000) -- packing drops the fraction

local records = #ARGV - 1
local stride = #KEYS / records

local replies
for i = 1, records do
  local key, asked = KEYS[(i - 1) * stride + 1], ARGV[1 + i]
  local record = redis.pcall('GET', key)
  local mine = record and #record == 44 and string.byte(record) == 0x11
    and string.sub(record, 4, 10) == string.sub(asked, 1, 7)
    and string.sub(record, 17, 28) == string.sub(asked, 8, 19)

  local answer
  if mine then
    local completed = '\18' .. string.sub(record, 2, 10) .. at .. string.sub(record, 29, 44) .. string.sub(asked, 20)
    local stored = redis.pcall('SET', key, completed, 'PX', retention)
    answer = stored.err and {'ERROR', stored.err}
    if stride == 2 then
      redis.pcall('SET', KEYS[2 * i], '', 'PX', 1)
    end
  else
    answer = otherwise(key, asked, record)
  end
  if answer then
    replies = replies or {}
    replies[i] = answer
  end
end

if not replies then
  return 'OK'
end
for i = 1, records do
  replies[i] = replies[i] or {'OK'}
end
return replies
