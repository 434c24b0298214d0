package io.idem.http.contract;

import java.util.Optional;

/** An answer whose writing fails. */
public final class Unwritable {

    private final Optional<String> name = Optional.empty();

    public String getName() {
        return name.orElseThrow();
    }
}
