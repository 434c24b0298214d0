package io.idem.workshop.chaos.soak;

import io.idem.servers.RunningRedis;
import io.idem.workshop.chaos.worker.ChaosIntakeMain;

/** Figures of Redis. Reads records by the documented format, independently of the library. */
final class RedisView {

    /**
     * Age of an expired lease after which its record counts as orphaned, with time for a replacement of the worker and
     * for a redelivery.
     */
    private static final int LATE_MILLIS = 15_000;

    /**
     * Counts PENDING records whose lease ended more than ARGV[2] ms ago, in one step of a scan. Returns the next
     * cursor, the number in scopes other than ARGV[3], and the number in that scope.
     */
    private static final String COUNT = """
            local time = redis.call('TIME')
            local late = tonumber(time[1]) * 1000 - tonumber(ARGV[2])
            local turn = redis.call('SCAN', ARGV[1], 'MATCH', 'idem:{*', 'COUNT', 2000)
            local others, own = 0, 0
            for _, key in ipairs(turn[2]) do
              local record = redis.call('GET', key)
              if record and #record == 44 and string.byte(record) == 0x11 then
                local high, low = struct.unpack('>I2I4', record, 11)
                if high * 4294967296 + low < late then
                  if string.match(key, '}:(.*)$') == ARGV[3] then own = own + 1 else others = others + 1 end
                end
              end
            end
            return turn[1] .. ' ' .. others .. ' ' .. own
            """;

    private final RunningRedis redis;
    private final double emptyBytes;

    /**
     * The numbers of PENDING records without an owner.
     *
     * @param ofConsumers records whose message should have been taken over
     * @param ofIntake records whose client has been answered
     */
    record Orphans(double ofConsumers, double ofIntake) {

        private Orphans plus(double consumers, double intake) {
            return new Orphans(ofConsumers + consumers, ofIntake + intake);
        }
    }

    RedisView(RunningRedis redis) {
        this.redis = redis;
        this.emptyBytes = used();
    }

    private double used() {
        return Double.parseDouble(redis.info("used_memory_dataset"));
    }

    double clients() {
        return Double.parseDouble(redis.info("connected_clients"));
    }

    double bytesPerRecord() {
        double records = Double.parseDouble(redis.command("DBSIZE"));
        return records == 0 ? 0 : (used() - emptyBytes) / records;
    }

    Orphans orphans() {
        String cursor = "0";
        Orphans sum = new Orphans(0, 0);
        do {
            String[] turn = redis.command(
                            "EVAL", COUNT, "0", cursor, Integer.toString(LATE_MILLIS), ChaosIntakeMain.SCOPE)
                    .split(" ", 3);
            cursor = turn[0];
            sum = sum.plus(Double.parseDouble(turn[1]), Double.parseDouble(turn[2]));
        } while (!cursor.equals("0"));
        return sum;
    }
}
