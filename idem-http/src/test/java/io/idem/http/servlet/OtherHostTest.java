package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.OtherHostContract;

@AppTest(
        value = OperationNameTest.Application.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/operations/**",
            "spring.mvc.apiversion.required=false"
        })
class OtherHostTest extends OtherHostContract {

    OtherHostTest(App app) {
        super(app);
    }
}
