package io.idem.zookeeper.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.result.ResultLimits;
import io.idem.result.ResultLimits.TooLarge;
import io.idem.result.ResultStorage;
import io.idem.zookeeper.ZooKeeperIdempotencyStore;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** The largest result that stays in its record, by the settings and beans of the application. */
final class LargestResult {

    private static final String MAX_SIZE = "idem.result.max-size";
    private static final String COMPRESS_ABOVE = "idem.result.compress-above";
    private static final String OFFLOAD_ABOVE = "idem.result.offload.above";
    private static final DataSize KEPT = DataSize.ofBytes(ZooKeeperIdempotencyStore.LARGEST_RESULT);
    private static final DataSize DEFAULT_OFFLOAD_ABOVE = DataSize.ofKilobytes(64);

    private final Binder settings;
    private final boolean offloaded;

    LargestResult(ListableBeanFactory beans, Environment environment) {
        this.settings = Binder.get(environment);
        this.offloaded = beans.getBeanNamesForType(ResultStorage.class, true, false).length > 0;
    }

    /** Returns limits by the settings. The default is what a record keeps, where larger results have no other place. */
    ResultLimits limits() {
        DataSize byDefault = offloaded ? DataSize.ofBytes(ResultLimits.DEFAULT_MAX_SIZE) : KEPT;
        return new ResultLimits(
                Math.max(1, bytes(MAX_SIZE, byDefault)),
                TooLarge.OMIT,
                Math.max(0, bytes(COMPRESS_ABOVE, DataSize.ofBytes(ResultLimits.DEFAULT_COMPRESS_ABOVE))));
    }

    /** Returns a setting within the bounds of limits; what is outside is refused where all settings are bound. */
    private int bytes(String setting, DataSize byDefault) {
        long size = settings.bind(setting, DataSize.class).orElse(byDefault).toBytes();
        return (int) Math.min(size, Integer.MAX_VALUE / 2);
    }

    /** Ends the start if results that pass the limits do not fit a record. */
    void requireThatItFits(ResultLimits limits) {
        DataSize largest = DataSize.ofBytes(limits.maxSize());
        DataSize above = settings.bind(OFFLOAD_ABOVE, DataSize.class).orElse(DEFAULT_OFFLOAD_ABOVE);
        if (offloaded && above.compareTo(largest) < 0) {
            requireThatItFits(OFFLOAD_ABOVE, above, "");
        } else {
            requireThatItFits(MAX_SIZE, largest, ", or the maxSize of your ResultLimits bean,");
        }
    }

    private static void requireThatItFits(String setting, DataSize largest, String orElse) {
        if (largest.compareTo(KEPT) > 0) {
            throw new ConfigurationException(
                    "Setting " + setting + ": " + largest + " is more than a record in ZooKeeper keeps, "
                            + KEPT.toKilobytes() + "KB",
                    "Set " + setting + orElse + " to " + KEPT.toKilobytes()
                            + "KB or less; larger results can be offloaded: idem.result.offload.");
        }
    }
}
