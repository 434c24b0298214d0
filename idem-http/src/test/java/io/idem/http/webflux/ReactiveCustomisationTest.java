package io.idem.http.webflux;

import io.idem.http.ErrorBody;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.CustomisationContract;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@AppTest(
        value = ReactiveCustomisationTest.Own.class,
        type = WebApplicationType.REACTIVE,
        settings = {CustomisationContract.SETTINGS, "spring.webflux.base-path=/shop"})
class ReactiveCustomisationTest extends CustomisationContract {

    ReactiveCustomisationTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, ReactiveShop.Orders.class})
    static class Own {

        @Bean
        ErrorBody envelope() {
            return ownEnvelope();
        }
    }
}
