package io.idem.internal.redis.client;

import io.idem.spi.RecordLister;
import io.lettuce.core.KeyScanCursor;
import java.util.List;

/**
 * The keys found by one SCAN.
 *
 * @param next the cursor of the next part; {@link RecordLister#START} after the last one
 */
public record ScanPart(List<byte[]> keys, String next) {

    /** Returns a part from a server whose cursors are prefixed. */
    static ScanPart of(KeyScanCursor<byte[]> found, String before, String afterTheLast) {
        return new ScanPart(found.getKeys(), found.isFinished() ? afterTheLast : before + found.getCursor());
    }
}
