package io.idem.internal.record;

import org.jspecify.annotations.Nullable;

/**
 * A record as a register saw it.
 *
 * @param now the time of the register, or an estimate of it, in milliseconds since 1970-01-01 UTC
 * @param exact whether {@code now} is the time and {@code found} as new as every answer. Otherwise the look may show an
 *     owner its record, or refuse by what still lasts, but it says of nothing that it has ended
 * @param found also if its retention is over
 * @param generation changes with each deletion of a record, so that it names one state of one record together with the
 *     version of that; the version alone does not, because it begins at 0 again
 */
public record Look(long now, boolean exact, @Nullable SeenRecord found, int generation) {

    /** A look that saw no record, for a first try to create one. */
    public static final Look NOTHING = new Look(0, false, null, 0);

    @Nullable SeenRecord live() {
        return found != null && found.isLive(now) ? found : null;
    }
}
