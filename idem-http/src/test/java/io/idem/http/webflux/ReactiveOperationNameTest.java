package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.OperationNameContract;
import io.idem.http.contract.Operations;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@AppTest(
        value = ReactiveOperationNameTest.Application.class,
        type = WebApplicationType.REACTIVE,
        settings = OperationNameContract.SETTINGS)
class ReactiveOperationNameTest extends OperationNameContract {

    ReactiveOperationNameTest(App app) {
        super(app);
    }

    @Test
    void aFormOfPartsWithoutNamesIsComparedAndHandledAsBytes() {
        assertThat(formOfNamelessParts("one").body()).isEqualTo("45 bytes, run 1");
        assertThat(formOfNamelessParts("one").replayed()).isTrue();
        assertThat(formOfNamelessParts("two").status()).isEqualTo(422);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Operations.class})
    static class Application {}
}
