/** What every carrier of requests must hold to, and the servers and clients with which it is tested. */
@NullMarked
package io.idem.http.contract;

import org.jspecify.annotations.NullMarked;
