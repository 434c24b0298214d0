/** The code that README.md and the pages under docs show, where no module's tests run it; one class for each page, named after it. */
@NullMarked
package io.idem.examples;

import org.jspecify.annotations.NullMarked;
