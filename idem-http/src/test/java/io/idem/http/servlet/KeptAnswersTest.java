package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.KeptAnswersContract;
import io.idem.http.contract.MemoryResultStorage;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@AppTest(value = KeptAnswersTest.StoringShop.class, settings = KeptAnswersContract.SETTINGS)
class KeptAnswersTest extends KeptAnswersContract {

    KeptAnswersTest(App shop) {
        super(shop);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.class, MemoryResultStorage.class})
    static class StoringShop {}
}
