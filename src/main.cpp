#include "base/standard_descriptors.h"
#include "cli/app.h"

int main(int argument_count, char** arguments) {
  sluice::fill_standard_descriptors();
  return sluice::run_app(argument_count, arguments);
}
