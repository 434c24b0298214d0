package io.idem.model;

import io.idem.servers.CheckedInputs;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Stream;
import tlc2.TLC;

/**
 * Inputs on which the outcome of the quick configurations depends: the model, the code that runs it, and TLC. The traces of
 * real runs and their specification are none of them.
 */
final class ModelInputs {

    private static final Path CODE = Path.of("src", "test", "java", "io", "idem", "model");

    private ModelInputs() {}

    static CheckedInputs read() {
        Stream<Path> model = Stream.of("Boundary.tla", "InboxAlone.tla", "Steps.tla", "quick")
                .map(Path::of);
        Stream<Path> code = Stream.of("Expectation", "Finding", "ModelChecker", "ModelInputs", "ModelTest")
                .map(name -> CODE.resolve(name + ".java"));
        return CheckedInputs.of(
                Path.of("checked.sha256"),
                Stream.of(model, code, Stream.of(modelChecker()))
                        .flatMap(each -> each)
                        .toList());
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
