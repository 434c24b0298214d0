package io.idem.model;

import io.idem.servers.CheckedInputs;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import tlc2.TLC;

/** Inputs on which the outcome of the quick configurations depends: the model, the code that runs it, and TLC. */
final class ModelInputs {

    private ModelInputs() {}

    static CheckedInputs read() {
        return CheckedInputs.of(
                Path.of("checked.sha256"),
                List.of(
                        Path.of("Boundary.tla"),
                        Path.of("InboxAlone.tla"),
                        Path.of("Steps.tla"),
                        Path.of("quick"),
                        Path.of("src"),
                        modelChecker()));
    }

    private static Path modelChecker() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("TLC has no place", impossible);
        }
    }
}
