package io.idem.http.contract;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the draft of the key header, and another implementation of it, require of a server; {@code docs/reports/http-conformance.md} lists it. */
public abstract class ConformanceContract {

    public static final String SETTINGS = "spring.config.import=classpath:conformance.yml";

    private final ConformanceTarget target;

    protected ConformanceContract(App app) {
        this.target = new ConformanceTarget(app);
    }

    static Stream<ConformanceVector> vectors() {
        return Stream.concat(DraftVectors.all().stream(), AnyonceVectors.all().stream());
    }

    @AfterEach
    void release() {
        target.release();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void theResultIsThatOfTheReport(ConformanceVector vector) {
        vector.verify(target);
    }
}
