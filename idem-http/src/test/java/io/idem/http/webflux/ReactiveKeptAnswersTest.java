package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.KeptAnswersContract;
import io.idem.http.contract.MemoryResultStorage;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@AppTest(
        value = ReactiveKeptAnswersTest.StoringShop.class,
        type = WebApplicationType.REACTIVE,
        settings = KeptAnswersContract.SETTINGS)
class ReactiveKeptAnswersTest extends KeptAnswersContract {

    ReactiveKeptAnswersTest(App shop) {
        super(shop);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.class, MemoryResultStorage.class})
    static class StoringShop {}
}
