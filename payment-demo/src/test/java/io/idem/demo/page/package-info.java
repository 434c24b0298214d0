@NullMarked
package io.idem.demo.page;

import org.jspecify.annotations.NullMarked;
