package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.KeptAnswersContract;

@AppTest(value = Shop.class, settings = KeptAnswersContract.SETTINGS)
class KeptAnswersTest extends KeptAnswersContract {

    KeptAnswersTest(App shop) {
        super(shop);
    }
}
