#include "cli/app.h"

int main(int argument_count, char** arguments) {
  return sluice::run_app(argument_count, arguments);
}
