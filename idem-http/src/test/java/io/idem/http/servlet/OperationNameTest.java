package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.OperationNameContract;
import io.idem.http.contract.Operations;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@AppTest(value = OperationNameTest.Application.class, settings = OperationNameContract.SETTINGS)
class OperationNameTest extends OperationNameContract {

    OperationNameTest(App app) {
        super(app);
    }

    /** The container shows the handler no part without a name. */
    @Test
    void aFormOfPartsWithoutNamesIsRefused() {
        assertThat(formOfNamelessParts("one".repeat(30)).status()).isEqualTo(400);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Operations.class})
    static class Application {}
}
