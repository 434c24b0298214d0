package io.idem.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The choice of a server of one kind: the first origin that can provide one is used. */
final class Selection<S extends RunningServer> {

    private final String what;
    private final String addressSetting;
    private final Set<Origin> allowed;
    private final List<Choice<S>> choices = new ArrayList<>();

    private record Choice<S>(Origin origin, Supplier<Optional<S>> attempt) {}

    /**
     * Creates an empty selection, to be filled in the order of choice.
     *
     * @param addressSetting setting that gives an address, for the message if no origin can provide a server
     */
    Selection(String what, String addressSetting, Set<Origin> allowed) {
        this.what = what;
        this.addressSetting = addressSetting;
        this.allowed = allowed;
    }

    /** Adds an origin, whose supplier is empty if it cannot provide a server. */
    Selection<S> or(Origin origin, Supplier<Optional<S>> attempt) {
        choices.add(new Choice<>(origin, attempt));
        return this;
    }

    S choose() {
        return chooseIfAny().orElseThrow(this::nothingFound);
    }

    Optional<S> chooseIfAny() {
        return choices.stream()
                .filter(choice -> allowed.contains(choice.origin()))
                .map(choice -> choice.attempt().get())
                .flatMap(Optional::stream)
                .findFirst();
    }

    private IllegalStateException nothingFound() {
        return new IllegalStateException("No " + what + " here (tried " + allowed + "): set " + addressSetting
                + ", or check that " + Environment.ORIGINS + " does not forbid the one there is");
    }
}
