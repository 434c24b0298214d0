package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.KeptAnswersContract;
import org.springframework.boot.WebApplicationType;

@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE, settings = KeptAnswersContract.SETTINGS)
class ReactiveKeptAnswersTest extends KeptAnswersContract {

    ReactiveKeptAnswersTest(App shop) {
        super(shop);
    }
}
