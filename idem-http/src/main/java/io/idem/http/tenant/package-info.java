/** Where a request's tenant comes from: ready resolvers, for users who combine them in a bean of their own. */
@NullMarked
package io.idem.http.tenant;

import org.jspecify.annotations.NullMarked;
