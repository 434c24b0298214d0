/** The effects of the applications, and where they can be seen. */
@NullMarked
package io.idem.applications.shop;

import org.jspecify.annotations.NullMarked;
